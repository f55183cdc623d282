import { requireRoomForMirror, type RemoteMirror } from '../../domain/mirrors/remote-mirror.js';
import { Invalid, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { MayReach } from '../../domain/shared/outbound-url.js';
import { readRemoteUrl } from '../../domain/shared/remote-url.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { MirrorSettings, RemoteMirrorRepository } from './ports/mirror-ports.js';

interface Needs {
  readonly remoteMirrors: RemoteMirrorRepository;
}

type Manager = Permitted<'manage_mirrors'>;

const PLAIN: MirrorSettings = { enabled: false, onlyProtectedBranches: false, keepDivergentRefs: false };

/** The mirrors of projects. User names and passwords are sealed and never shown again. */
export class RemoteMirrors {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly secretBox: SecretBox,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
  ) {}

  /** @param url may carry a user name and a password. @throws Invalid at `url`; Unprocessable for one more than a project may have. */
  async add({ project }: Manager, url: string, settings: Partial<MirrorSettings>): Promise<number> {
    const address = readRemoteUrl(url, this.mayReach);
    if (typeof address === 'string') throw new Invalid({ url: [address] });
    const sealedCredentials =
      address.credentials === null ? null : this.secretBox.seal(JSON.stringify(address.credentials));
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ remoteMirrors }) => {
      await remoteMirrors.hold(project.id);
      requireRoomForMirror(await remoteMirrors.count(project.id));
      const mirror = { ...PLAIN, ...settings, projectId: project.id, url: address.url, sealedCredentials };
      return remoteMirrors.add(mirror, at);
    });
  }

  /** @throws NotFound when it is gone. */
  async edit(_: Manager, { id }: RemoteMirror, changes: Partial<MirrorSettings>): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ remoteMirrors }) => {
      const before = await remoteMirrors.take(id);
      if (before === undefined) throw new NotFound();
      await remoteMirrors.update(id, { ...before, ...changes }, at);
    });
  }

  async remove(_: Manager, { id }: RemoteMirror): Promise<void> {
    await this.unitOfWork.execute(({ remoteMirrors }) => remoteMirrors.remove(id));
  }

  /** Updates it as soon as may be, whatever was to be waited for. @throws NotFound when it is gone; NotPossible for one that is disabled. */
  async sync(_: Manager, { id }: RemoteMirror): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ remoteMirrors }) => {
      const mirror = await remoteMirrors.take(id);
      if (mirror === undefined) throw new NotFound();
      if (!mirror.enabled) throw new NotPossible('The mirror is disabled');
      await remoteMirrors.hurry(id, at);
    });
  }
}
