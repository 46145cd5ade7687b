/* Descriptors are numbers; each stands for an open file. */
#include <fcntl.h>
#include <unistd.h>
int work(int);

int copy_bad(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, &byte, 1) != 1)
		close(fd);
	close(fd); /* indict: double-free */
	return byte;
}

int copy_ok(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, &byte, 1) != 1) {
		close(fd);
		return -1;
	}
	close(fd);
	return byte;
}

static void shut(int fd)
{
	if (fd >= 0)
		close(fd);
}

void through_bad(const char *path)
{
	int fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	shut(fd);
	close(fd); /* indict: double-free */
}

void through_ok(const char *path)
{
	int fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	shut(fd);
	fd = -1;
	shut(fd);
}

int given_bad(int fd, int n)
{
	if (work(n))
		close(fd);
	close(fd); /* indict: double-free */
	return 0;
}

int given_ok(int fd, int n)
{
	if (work(n)) {
		close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

int two_ok(const char *a, const char *b)
{
	int in = open(a, O_RDONLY), out = open(b, O_WRONLY);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return 0;
}

int two_bad(const char *a, const char *b)
{
	int in = open(a, O_RDONLY), out = open(b, O_WRONLY);
	if (in >= 0)
		close(in);
	if (in >= 0)
		close(in); /* indict: double-free */
	return out;
}
