//! See the manual text of the assumption, below.

use super::Effect;

assumption! {
    /// A function that receives a buffer and its size does not return more than the size.
    ///
    /// Functions like `read` return the number of bytes that they have written. This holds for unknown functions whose
    /// parameters include a pointer followed by a number.
    RETURNED_COUNT = "returned-count" {
        principle: Trust,
        lifted_by: "the function does not receive a buffer",
        sentence: "the called function is assumed not to return more than the size of the buffer",
        effects: [Effect::Excludes(|evaluation, _, _| evaluation.unusual.counts.clone())],
        silent: r#"struct stream {
    int (*read)(char *buffer, int size);
};

int f(struct stream *from)
{
    char buffer[64];
    int n = from->read(buffer, 64);
    if (n <= 0 || n > 100)
        return 0;
    return buffer[n - 1];
}"#,
        reported: r#"struct stream {
    int (*count)(void);
};

int f(struct stream *from)
{
    char buffer[64] = {0};
    int n = from->count();
    if (n <= 0 || n > 100)
        return 0;
    return buffer[n - 1];
}"#,
    }
}
