/* Runs functions as standard input says, one line each: the function, its parameters, the caller's memory, the
   states of mutexes at entry, the answers of functions, and which allocations fail. */
#undef pthread_mutex_lock
#undef pthread_mutex_trylock
#undef pthread_mutex_unlock
#undef malloc
#undef free

static struct box box;
static int lost;

static void release(int block)
{
	free(address_of(block));
	blocks[block].disguised = 0;
}

__attribute__((noinline)) static void one_run(const struct entry *entry, int a, int b, long n, int data, long mode,
	const int *held)
{
	volatile uintptr_t result = 0;
	pthread_mutexattr_t attributes;
	memset(&box, 0, sizeof box);
	mutexes[0] = &box.a;
	mutexes[1] = &box.b;
	mutexes[2] = entry->own;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	for (int i = 0; i < 3; i++) {
		pthread_mutex_init(mutexes[i], &attributes);
		if (held[i])
			pthread_mutex_lock(mutexes[i]);
	}
	asked = allocated = depth = count = 0;
	box.n = n;
	box.data = data ? new_block(0, 1) : 0;
	*entry->mode = mode;
	*entry->kept = 0;
	if (setjmp(out)) {
		printf("double-free\n");
		for (int i = 0; i < count; i++)
			blocks[i].found = 1;
	} else {
		result = entry->number ? 0 : (uintptr_t)entry->pointer(&box, a, b);
		if (entry->number)
			entry->number(&box, a, b);
		if (asked != answers || allocated != allocations)
			fail("less is asked than is answered");
		for (int i = 0; i < count; i++)
			if (blocks[i].found)
				find((uintptr_t)address_of(i));
		find(result);
		find((uintptr_t)box.data);
		find((uintptr_t)*entry->kept);
		for (int i = 0; i < count; i++)
			if (!blocks[i].freed && !blocks[i].found)
				printf("%d loses;", blocks[i].line);
		printf("returns");
		for (int i = 0; i < 3; i++)
			printf(" %d", pthread_mutex_trylock(mutexes[i]) != 0);
		printf("\n");
	}
	result = 0;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_trylock(mutexes[i]);
		pthread_mutex_unlock(mutexes[i]);
		pthread_mutex_destroy(mutexes[i]);
	}
}

int main(void)
{
	int function, a, b, data, held[3];
	long n, mode;
	while (scanf("%d %d %d %ld %d %ld %d %d %d", &function, &a, &b, &n, &data, &mode, held, held + 1, held + 2) == 9) {
		if (scanf("%d", &answers) != 1 || answers > MOST)
			fail("the script");
		for (int i = 0; i < answers; i++)
			if (scanf("%ld", script + i) != 1)
				fail("the script");
		if (scanf("%d", &allocations) != 1 || allocations > MOST)
			fail("the script");
		for (int i = 0; i < allocations; i++)
			if (scanf("%d", fails + i) != 1)
				fail("the script");
		one_run(entries + function, a, b, n, data, mode, held);
		memset(&box, 0, sizeof box);
		*entries[function].kept = 0;
		for (int i = 0; i < count; i++) {
			/* What this program holds to be lost is left to LeakSanitizer. */
			if (blocks[i].freed || blocks[i].found)
				release(i);
			else
				lost++;
		}
	}
	printf("end %d\n", lost);
	fflush(stdout);
	return 0;
}
