#define RING 8

static inline int ring_step(int at)
{
	int slots[RING] = {0};
	slots[at] = 1;
	return at - 1;
}
