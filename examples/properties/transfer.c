/* Money is moved within a transaction. Two of three ways out forget something. */
struct pool;
struct connection;

struct connection *pool_take(struct pool *pool);
void pool_return(struct pool *pool, struct connection *c);
int db_begin(struct connection *c);
int db_commit(struct connection *c);
int db_rollback(struct connection *c);
int db_execute(struct connection *c, const char *statement);

int transfer(struct pool *pool, int amount)
{
    struct connection *c = pool_take(pool);
    if (!c)
        return -1;
    if (amount <= 0)
        return -1;              /* the connection is lost */
    if (db_begin(c)) {
        pool_return(pool, c);
        return -1;
    }
    db_execute(c, "update accounts");
    db_commit(c);
    pool_return(pool, c);
    return 0;
}

int audit(struct connection *c)
{
    if (db_begin(c))
        return -1;
    if (db_execute(c, "select from accounts"))
        return -1;              /* the transaction stays open */
    return db_commit(c) ? -1 : 0;
}
