import { MIRROR_COUNTERS } from '../../application/mirrors/ports/mirror-counters.js';
import { updatesFollowPushes } from '../../application/mirrors/updates-follow-pushes.js';
import { KnexPullMirrorRepository } from '../../adapters/outbound/persistence/knex/mirrors/knex-pull-mirror-repository.js';
import { KnexRemoteMirrorRepository } from '../../adapters/outbound/persistence/knex/mirrors/knex-remote-mirror-repository.js';
import { defineStorage } from './storage.js';

export const mirrorsStorage = defineStorage({
  name: 'mirrors',
  stores: {
    remoteMirrors: ({ session, leave }) => new KnexRemoteMirrorRepository(session, () => leave('pushes to mirrors')),
    pullMirrors: ({ session, leave }) => new KnexPullMirrorRepository(session, () => leave('updates from elsewhere')),
  },
  subscribers: [updatesFollowPushes],
  counters: MIRROR_COUNTERS,
});
