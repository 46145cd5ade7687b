//! `indict kbuild`: called by the kernel's build in the place of sparse, with the compiler's own flags.

use std::path::{Path, PathBuf};

use clang::{Flags, is_source};
use driver::{Disk, Silent};

use crate::args::Kbuild;
use crate::check::{configured, render_text};
use crate::compile::Clang;
use crate::output::{complain, print};
use crate::{Ending, Failure};

/// Checks one file. The build continues whatever the outcome, unless the user wants otherwise.
pub(crate) fn kbuild(args: &Kbuild) -> Result<Ending, Failure> {
    match check(args) {
        Ok(ending) if args.strict => Ok(ending),
        Ok(_) => Ok(Ending::Clean),
        Err(failure) if args.strict => Err(failure),
        Err(Failure(why)) => {
            complain(&why);
            Ok(Ending::Clean)
        }
    }
}

fn check(args: &Kbuild) -> Result<Ending, Failure> {
    let (flags, inputs) = Flags::split(&args.arguments);
    let sources: Vec<PathBuf> = inputs.into_iter().filter(|input| is_source(input)).collect();
    let [file] = &sources[..] else {
        let number = sources.len();
        return Err(Failure(format!("expected one C file after the flags, found {number}")));
    };
    let (config, mut options) = configured(None, &[])?;
    let cache = args.cache.open(config.as_ref());
    options.cache = cache.map(|cache| cache as _);
    let clang = Clang::plain(args.clang.clone(), options.cache.clone(), flags);
    // The build itself runs in parallel.
    options.jobs = options.jobs.or(std::num::NonZeroUsize::new(1));
    let outcome = driver::run(&[Path::new(file)], &Disk, &clang, &options, &Silent);
    // There is no note on dropped flags: they are the same for thousands of files.
    let has_news = !outcome.report.findings.is_empty() || !outcome.report.notes.is_empty();
    if has_news {
        print(&render_text(&outcome)?)?;
    }
    Ok(Ending::of(&outcome.report))
}
