//! Galleries: the heaps that an invariant admits, side by side.

use std::fmt::Write;

use crate::page::{Layout, STYLE, drawing, escape};
use crate::{Heap, State};

/// A page that draws heaps, each by itself.
pub fn page(title: &str, remark: &str, heaps: &[Heap]) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n\
         <style>\n{STYLE}{GALLERY_STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n\
         <p>{1}</p>\n</header>\n<main>\n",
        escape(title),
        escape(remark)
    );
    for heap in heaps {
        let state = State { variables: heap.variables.clone(), objects: heap.objects.clone() };
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", escape(&heap.when));
        let layout = Layout::new(std::slice::from_ref(&state));
        drawing::heap(&state, None, &layout, &mut out);
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

const GALLERY_STYLE: &str = "section { flex: 0 1 auto; max-width: 100%; overflow-x: auto; }\n";

#[cfg(test)]
mod tests {
    use super::page;
    use crate::{Binding, Heap, Object};

    #[test]
    fn each_heap_has_a_drawing() {
        let binding =
            |name: &str, value: &str| Binding { name: name.to_owned(), value: value.to_owned() };
        let heap = |when: &str| Heap {
            when: when.to_owned(),
            variables: vec![binding("this", "List#1")],
            objects: vec![Object {
                name: "List#1".to_owned(),
                kind: "List".to_owned(),
                fields: vec![binding("head", "null")],
            }],
        };
        let page = page("Lists <of> one", "two of them", &[heap("1"), heap("2")]);
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("<h1>Lists &lt;of&gt; one</h1>"), "{page}");
    }
}
