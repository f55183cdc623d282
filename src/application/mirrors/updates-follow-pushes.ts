import type { SetFollower } from '../shared/domain-events.js';
import type { RemoteMirrorRepository } from './ports/mirror-ports.js';

interface Needs {
  readonly remoteMirrors: Pick<RemoteMirrorRepository, 'schedule'>;
}

/** That mirrors are to be updated is noted in the transaction that moved the refs. */
export const updatesFollowPushes: SetFollower<Needs> = {
  follow: async (events, { remoteMirrors }) => {
    const pushes = events.filter((event) => event.kind === 'pushed');
    const [first] = pushes;
    if (first === undefined) return;
    await remoteMirrors.schedule([...new Set(pushes.map(({ projectId }) => projectId))], first.at);
  },
};
