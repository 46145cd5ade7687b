package bank;

class Account {
    private int balance; /* in 円, never negative */

    //@ requires amount >= 0;
    //@ ensures balance >= 0 && \result == \old(balance) - amount;
    int withdraw(int amount) {
        String 記録 = "引き出し " + amount; balance = balance - amount; audit(記録, balance, amount, System.currentTimeMillis());
        return balance;
    }

    int share(int parts) { return balance / parts; }
}
