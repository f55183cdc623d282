import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { BeginCode } from '../../../../../application/repositories/begin-code.js';
import type { CodeImports, CodeImportsNeed } from '../../../../../application/repositories/code-imports.js';
import type { PullMirrors, PullMirrorsNeed } from '../../../../../application/mirrors/pull-mirrors.js';
import type { MovingRepositories } from '../../../../../application/repositories/operations/move-refs-within.js';
import type { PermittedNamespace } from '../../../../../application/shared/permitted.js';
import type { CreateProjectCommand, Projects, ProjectsNeed } from '../../../../../application/workspace/projects.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { firstReadme } from '../../../../../domain/workspace/first-readme.js';
import { pullChangesIn, type SentPull } from '../mirrors/pull-fields.js';
import { writerOf } from '../repository/code-writing.js';

export interface BeginProjectParts {
  readonly users: UserReader;
  readonly projects: Projects<ProjectsNeed & MovingRepositories & CodeImportsNeed & PullMirrorsNeed>;
  readonly beginCode: BeginCode;
  readonly codeImports: CodeImports;
  readonly pullMirrors: PullMirrors;
}

/** What a project begins with. */
export interface FirstCode {
  readonly withReadme: boolean;
  /** A repository elsewhere, whose URL may carry a user name and a password, and whether it is followed. */
  readonly elsewhere: SentPull;
}

/**
 * Makes a project, with a first commit of its creator or code from elsewhere where either is asked for.
 * @throws BadRequest for both; Invalid at `import_url`.
 */
export const beginProject = async (
  parts: BeginProjectParts,
  namespace: PermittedNamespace,
  command: CreateProjectCommand,
  { withReadme, elsewhere }: FirstCode,
): Promise<ProjectId> => {
  const { users, projects, beginCode } = parts;
  if ((elsewhere.import_url ?? '') !== '') {
    if (withReadme) throw new BadRequest('initialize_with_readme and import_url exclude each other');
    return projects.create(namespace, command, fromElsewhere(parts, elsewhere, command.creatorId));
  }
  if (elsewhere.mirror === true) throw new Invalid({ import_url: ["can't be blank"] });
  if (!withReadme) return projects.create(namespace, command);
  const { creatorId, name = command.path ?? '', description, defaultBranch } = command;
  const writer = await writerOf(users, { id: creatorId, admin: false });
  const file = { branch: defaultBranch, path: 'README.md', text: firstReadme({ name, description }) };
  return beginCode.execute(writer, file, (begin) => projects.create(namespace, command, begin));
};

/** Its code is fetched once, and then, where it follows that repository, again and again. */
const fromElsewhere = ({ codeImports, pullMirrors }: BeginProjectParts, sent: SentPull, creatorId: UserId) => {
  const url = sent.import_url ?? '';
  const ask = codeImports.from(url, creatorId);
  if (sent.mirror !== true) return ask;
  const follow = pullMirrors.ofNew({ ...pullChangesIn(sent), url }, creatorId, 'import_url');
  return async (repositories: CodeImportsNeed & PullMirrorsNeed, projectId: ProjectId): Promise<void> => {
    await ask(repositories, projectId);
    await follow(repositories, projectId);
  };
};
