/** Told to a client of git, which prints it: plain text with a status. */
export class GitRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Gatehouse"' };

/** @param challenge absent where another try with a password would be as vain. */
export const accessDenied = (challenge: 'ask' | 'final' = 'ask'): GitRefusal =>
  new GitRefusal(401, 'HTTP Basic: Access denied', challenge === 'ask' ? CHALLENGE : {});

export const projectNotFound = (): GitRefusal =>
  new GitRefusal(404, "The project you were looking for could not be found or you don't have permission to view it.");

/** Where a project is now that was renamed or moved, for who may read it. Without whoever follows, the path of before is refused. */
export class ProjectMoved extends GitRefusal {
  constructor(
    formerPath: string,
    readonly pathNow: string,
  ) {
    super(404, `Project '${formerPath}' was moved to '${pathNow}'.`);
  }
}
