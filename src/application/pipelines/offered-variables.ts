import type { OfferedVariable } from '../../domain/pipelines/ci-file/offered-variables.js';
import { isGivenKey, MAX_GIVEN_VALUE } from '../../domain/pipelines/given-variable.js';
import { valuesByKey } from '../../domain/pipelines/predefined-variables.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { CiFiles, CommitPlace } from './ci-files.js';
import type { KnownVariables } from './known-variables.js';
import type { ReachOtherCode } from './reach-other-code.js';
import type { RemoteCiFiles } from './remote-ci-files.js';

/** A form shows so many; any other can be given by its name. */
const MOST_OFFERED = 50;

const isGivable = ({ key, value }: OfferedVariable): boolean => isGivenKey(key) && value.length <= MAX_GIVEN_VALUE;

/** What the CI file of a branch or tag lets people choose who start a pipeline of it. */
export class OfferedVariables {
  constructor(
    private readonly files: CiFiles,
    private readonly known: Pick<KnownVariables, 'ofPlace'>,
    private readonly reachOtherCode: Pick<ReachOtherCode, 'as'>,
    private readonly remoteCiFiles: Pick<RemoteCiFiles, 'forPerson'>,
    /** @param ref by its name. @throws Unavailable. */
    private readonly find: (permitted: PermittedProject<'read_code'>, ref: string) => Promise<CommitPlace | undefined>,
  ) {}

  /** None where the file isn't there, or can't be read: whoever starts a pipeline is told why. @throws Unavailable. */
  async of(actor: Actor, permitted: PermittedProject<'read_code'>, ref: string): Promise<readonly OfferedVariable[]> {
    const { project } = permitted;
    const found = await this.find(permitted, ref);
    if (found === undefined) return [];
    const at = { ...found, configPath: project.ciConfigPath };
    const text = await this.files.mainAt(at);
    if (text === undefined) return [];
    const userId = userIdOf(actor);
    const reading = await this.files.read(text, at, {
      reach: this.reachOtherCode.as(actor),
      ...(userId !== null && { fetch: this.remoteCiFiles.forPerson(userId) }),
      naming: () => valuesByKey(this.known.ofPlace(project, found.commit.id)),
    });
    const offered = reading.kind === 'read' ? reading.config.offered : [];
    return offered.filter(isGivable).slice(0, MOST_OFFERED);
  }
}
