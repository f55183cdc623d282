import { Invalid, NotPossible } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { MayReach } from '../../domain/shared/outbound-url.js';
import { readRemoteUrl } from '../../domain/shared/remote-url.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CodeImportRepository } from './ports/code-imports.js';
import type { RefReader } from './ports/ref-reader.js';
import type { SealedRemote } from './ports/remotes.js';

export interface CodeImportsNeed {
  readonly codeImports: CodeImportRepository;
  readonly events: DomainEvents;
}

/** Asks for the code of a project within the unit of work that makes the project. */
export type AskForCode = (repositories: CodeImportsNeed, projectId: ProjectId) => Promise<void>;

/** Code from elsewhere is asked for here, and fetched afterwards (`ImportCode`). */
export class CodeImports {
  constructor(
    private readonly unitOfWork: UnitOfWork<CodeImportsNeed>,
    private readonly reader: Pick<RefReader, 'isBeingCopied' | 'withBranches'>,
    private readonly secretBox: Pick<SecretBox, 'seal'>,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
  ) {}

  /** @param url may carry a user name and a password. @throws Invalid at `import_url`. */
  from(url: string, userId: UserId): AskForCode {
    const remote = this.#read(url);
    return async ({ codeImports, events }, projectId) => {
      const at = this.clock.now();
      await codeImports.ask({ projectId, userId, remote }, at);
      await events.publish({ kind: 'code_import_asked', projectId, at });
    };
  }

  /** After one that failed. @throws Invalid at `import_url`; NotPossible where there is code, or it is on its way. */
  async again({ project }: Permitted<'manage_project'>, url: string, userId: UserId): Promise<void> {
    const remote = this.#read(url);
    if (project.archived) throw new NotPossible('The project is archived and read-only.');
    if (await this.reader.isBeingCopied(project.id)) throw new NotPossible('The code is on its way already.');
    if ((await this.reader.withBranches([project.id])).has(project.id))
      throw new NotPossible('The project has code already.');
    await this.unitOfWork.execute(async ({ codeImports, events }) => {
      const at = this.clock.now();
      if (!(await codeImports.askAgain({ projectId: project.id, userId, remote }, at)))
        throw new NotPossible('The code is on its way already.');
      await events.publish({ kind: 'code_import_asked', projectId: project.id, at });
    });
  }

  #read(text: string): SealedRemote {
    const remote = readRemoteUrl(text, this.mayReach);
    if (typeof remote === 'string') throw new Invalid({ import_url: [remote] });
    const { url, credentials } = remote;
    return { url, sealedCredentials: credentials === null ? null : this.secretBox.seal(JSON.stringify(credentials)) };
  }
}
