//! Namespaces, by the programs of util-linux: what is available, and the command that enters them.
//!
//! A program is started by a shell that opens the report and sets limits, and then by `unshare`. Within the
//! namespaces a second shell mounts an empty file system over the directory of the execution, makes all others
//! read-only, and gives up all capabilities, so that the program cannot undo any of it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::sandbox::supervise::ProcessEnd;
use crate::sandbox::{Limits, Sandbox};

/// How a program is kept apart from the system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isolation {
    /// Limits alone: it could reach the network and write wherever the user can.
    None,
    /// It has no network and sees no other processes, but could write wherever the user can.
    Network,
    /// Besides, it can write nowhere but into its own directory.
    Full,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Isolation::None => "no isolation from network and files, only limits",
            Isolation::Network => "no network, but no isolation from files",
            Isolation::Full => "no network, and read-only files",
        })
    }
}

/// Opens the report, sets limits, and executes the rest of its arguments.
const OUTER: &str = r#"
exec 3>"$1" || exit 125
ulimit -c 0; ulimit -t "$2"; ulimit -f "$3"; ulimit -n "$4"
shift 4
exec "$@"
"#;

/// Within the namespaces: makes everything read-only but the directory, and runs the rest without capabilities. The
/// program is not the first process, for which signals mean nothing.
const INNER: &str = r#"
directory=$1 size=$2 setpriv=$3 mount=$4
shift 4
if [ "$mount" ]; then
    "$mount" -t tmpfs -o "size=$size,mode=700" tmpfs "$directory" || exit 125
    while read -r _ _ _ _ point options _; do
        point=$(printf %b "$point")
        [ "$point" = "$directory" ] && continue
        case ",$options," in
            *,rw,*)
                "$mount" -o "remount,bind,ro${options#rw}" "$point" && continue
                [ -w "$point" ] && exit 125 ;;
        esac
    done < /proc/self/mountinfo
    cd "$directory" || exit 125
fi
"$setpriv" --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
exit $?
"#;

/// The programs that isolate others.
#[derive(Debug)]
struct Tools {
    unshare: PathBuf,
    setpriv: PathBuf,
    mount: PathBuf,
}

/// The paths of the tools, searched once.
fn tools() -> Option<&'static Tools> {
    static FOUND: OnceLock<Option<Tools>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map(PathBuf::from);
        let folders: Vec<PathBuf> = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .chain(usual)
            .collect();
        let find =
            |name: &str| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
        Some(Tools { unshare: find("unshare")?, setpriv: find("setpriv")?, mount: find("mount")? })
    });
    found.as_ref()
}

/// The best isolation that the system permits, tried out once.
pub(crate) fn available(sandbox: &Sandbox) -> Isolation {
    static AVAILABLE: OnceLock<Isolation> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let works = |isolation: &Isolation| {
            let program = Path::new("/bin/sh");
            let script = ["-c", "exit 42"].map(Into::into);
            let ran = sandbox.run_isolated(*isolation, program, &script, &[], &Limits::MOMENT);
            ran.is_ok_and(|ran| ran.ended == ProcessEnd::Exited(42))
        };
        let best = [Isolation::Full, Isolation::Network];
        best.into_iter().find(works).unwrap_or(Isolation::None)
    })
}

/// The command that runs the command added to it in a directory, under limits.
pub(crate) fn command(
    isolation: Isolation,
    directory: &Path,
    report: &Path,
    limits: &Limits,
) -> io::Result<Command> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", OUTER, "sh"]).arg(report);
    // Processors share the time, and the wall clock ends what waits.
    let seconds = 2 * limits.wall.as_secs().max(1);
    command.args([
        seconds.to_string(),
        limits.file_size.div_ceil(512).to_string(),
        limits.open_files.to_string(),
    ]);
    if isolation == Isolation::None {
        return Ok(command);
    }
    let tools = tools().ok_or(io::ErrorKind::Unsupported)?;
    command.arg(&tools.unshare).args([
        "--user",
        "--map-root-user",
        "--net",
        "--mount",
        "--pid",
        "--ipc",
        "--uts",
        "--fork",
        "--kill-child",
    ]);
    command.args(["/bin/sh", "-c", INNER, "sh"]).arg(directory).arg(limits.file_size.to_string());
    command.arg(&tools.setpriv);
    match isolation {
        Isolation::Full => command.arg(&tools.mount),
        Isolation::Network | Isolation::None => command.arg(""),
    };
    Ok(command)
}
