//! `indict why`: why nothing is reported on a line.

use std::path::{Path, PathBuf};

use driver::Disk;

use crate::args::Why;
use crate::check::{Prepared, prepare};
use crate::format::Format;
use crate::output::Output;
use crate::{Ending, Failure};

/// Explains the obligations on a line, or in a file.
pub(crate) fn why(args: &Why) -> Result<Ending, Failure> {
    let output = Output::new(args.check.output.as_deref())?;
    let is_json = args.check.format == Format::Json;
    if !is_json && args.check.format != Format::Text {
        return Err(Failure("`indict why` has the formats text and json".to_owned()));
    }
    let (file, line) = target(&args.target)?;
    if file.is_dir() {
        return Err(Failure(format!("`{}` is a directory; expected FILE[:LINE]", file.display())));
    }
    if !file.is_file() {
        return Err(Failure(format!("there is no file `{}`", file.display())));
    }
    let Prepared { options, clang, mut paths, .. } = prepare(&args.check)?;
    if args.check.paths.is_empty() {
        paths.clear();
    }
    if !paths.contains(&file) {
        paths.insert(0, file.clone());
    }
    let paths: Vec<&Path> = paths.iter().map(|path| &**path).collect();
    let explained = driver::why((&file, line), &paths, &Disk, &clang, &options).map_err(Failure)?;
    let mut bytes = Vec::new();
    match is_json {
        true => report::why::json(&explained, &mut bytes)
            .map_err(|error| Failure(format!("the report could not be written: {error}")))?,
        false => bytes.extend(report::why::text(&explained).into_bytes()),
    }
    output.write(&bytes)?;
    Ok(Ending::Clean)
}

/// The file and the line of `FILE:LINE`, or of `FILE`.
fn target(text: &str) -> Result<(PathBuf, Option<u32>), Failure> {
    let Some((file, line)) = text.rsplit_once(':').filter(|_| !Path::new(text).is_file()) else {
        return Ok((PathBuf::from(text), None));
    };
    match line.parse().ok().filter(|line| *line > 0) {
        Some(line) => Ok((PathBuf::from(file), Some(line))),
        None => Err(Failure(format!("`{line}` is not the number of a line; expected FILE:LINE"))),
    }
}
