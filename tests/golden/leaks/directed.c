/* Runs that are found only by what they compare: memory. */
#include <stddef.h>
#include <stdlib.h>

struct entry { struct entry *next; unsigned id; int event; };

static struct entry *entries;

static struct entry *find(unsigned id)
{
	struct entry *e;
	for (e = entries; e; e = e->next)
		if (e->id == id)
			return e;
	return NULL;
}

/* Ten entries with the next ten numbers are needed. */
int subscribe_bad(int event, unsigned *result)
{
	static unsigned last;
	struct entry *new;
	int attempts, is_found = 0;

	new = malloc(sizeof(*new)); /* indict: memory-leak */
	if (!new)
		return -1;
	new->event = event;
	for (attempts = 0; attempts < 10; attempts++) {
		if (!find(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found)
		return -2;
	new->next = entries;
	entries = new;
	*result = new->id;
	return 0;
}

int subscribe_ok(int event, unsigned *result)
{
	static unsigned last;
	struct entry *new;
	int attempts, is_found = 0;

	new = malloc(sizeof(*new));
	if (!new)
		return -1;
	new->event = event;
	for (attempts = 0; attempts < 10; attempts++) {
		if (!find(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found) {
		free(new);
		return -2;
	}
	new->next = entries;
	entries = new;
	*result = new->id;
	return 0;
}

struct link { struct link *next, *prev; };
struct member { unsigned id, event; struct link node; };

static struct link members[6];

static struct member *find_member(unsigned id)
{
	for (int e = 0; e < 6; e++)
		for (struct link *l = members[e].next; l != &members[e]; l = l->next) {
			struct member *m = (struct member *)((char *)l - offsetof(struct member, node));
			if (m->id == id)
				return m;
		}
	return NULL;
}

/* Ten members with the next ten numbers are needed, in circular lists. */
int join_bad(unsigned event, unsigned *result)
{
	static unsigned last;
	int is_found = 0;
	struct member *new;
	struct link *head;

	if (event >= 6)
		return -1;
	new = malloc(sizeof(*new)); /* indict: memory-leak */
	if (!new)
		return -1;
	new->event = event;
	for (int attempts = 0; attempts < 10; attempts++) {
		if (!find_member(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found)
		return -2;
	head = &members[event];
	new->node.next = head->next;
	new->node.prev = head;
	head->next->prev = &new->node;
	head->next = &new->node;
	*result = new->id;
	return 0;
}

int join_ok(unsigned event, unsigned *result)
{
	static unsigned last;
	int is_found = 0;
	struct member *new;
	struct link *head;

	if (event >= 6)
		return -1;
	new = malloc(sizeof(*new));
	if (!new)
		return -1;
	new->event = event;
	for (int attempts = 0; attempts < 10; attempts++) {
		if (!find_member(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found) {
		free(new);
		return -2;
	}
	head = &members[event];
	new->node.next = head->next;
	new->node.prev = head;
	head->next->prev = &new->node;
	head->next = &new->node;
	*result = new->id;
	return 0;
}
