/* Loops that are meant to run for ever, or until somebody else changes what they read: nothing here is a
 * finding. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct device {
    volatile uint32_t status;
    volatile uint32_t data;
};

struct waiter {
    atomic_int ready;
    int value;
};

extern volatile int stop_requested;

int accept_client(void);
void serve(int client);
int poll_events(int *event);

_Noreturn void serve_for_ever(void)
{
    for (;;)
        serve(accept_client());
}

void event_loop(void)
{
    int event;

    while (1) {
        if (poll_events(&event))
            serve(event);
    }
}

int idle(void)
{
    do {
        sleep(1);
    } while (1);
}

void halt(void)
{
    for (;;)
        ;
}

void until_stopped(void)
{
    while (!stop_requested)
        ;
}

uint32_t wait_for_device(struct device *d)
{
    while ((d->status & 1) == 0)
        ;
    return d->data;
}

int wait_for_bit(volatile uint32_t *reg, uint32_t bit)
{
    while (*reg & bit)
        continue;
    return 0;
}

int spin_until_ready(struct waiter *w)
{
    while (!atomic_load(&w->ready))
        ;
    return w->value;
}

void spin_lock(atomic_flag *lock)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        ;
}

int spin_builtin(int *flag)
{
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
        ;
    return 1;
}

void compare_and_swap(atomic_int *counter)
{
    int old = atomic_load(counter);

    while (!atomic_compare_exchange_weak(counter, &old, old + 1))
        ;
}

int read_all(int fd, char *out, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got = read(fd, out + done, size - done);

        if (got <= 0)
            return -1;
        done += (size_t)got;
    }
    return 0;
}

int retry_until_it_works(void)
{
    int event;

    while (poll_events(&event) < 0)
        ;
    return event;
}

unsigned collatz(unsigned n)
{
    unsigned steps = 0;

    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

size_t scan_for_marker(const unsigned char *p)
{
    size_t n = 0;

    while (p[n] != 0xff)
        n++;
    return n;
}

int dispatch(void)
{
    int state = 0, event;

    for (;;) {
        if (poll_events(&event) != 0)
            return state;
        switch (event) {
        case 0:
            state = 1;
            continue;
        case 1:
            exit(state);
        default:
            state = 2;
        }
    }
}

long sum_to_a_million(void)
{
    long sum = 0;

    for (int i = 0; i < 1000000; i++)
        sum += i;
    return sum;
}

int fill_large(unsigned char *out)
{
    static unsigned char buffer[65536];

    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = (unsigned char)i;
    memcpy(out, buffer, 16);
    return buffer[65535];
}
