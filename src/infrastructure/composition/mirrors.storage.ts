import { MIRROR_COUNTERS } from '../../application/mirrors/ports/mirror-counters.js';
import { updatesFollowPushes } from '../../application/mirrors/updates-follow-pushes.js';
import { KnexRemoteMirrorRepository } from '../../adapters/outbound/persistence/knex/mirrors/knex-remote-mirror-repository.js';
import { defineStorage } from './storage.js';

export const mirrorsStorage = defineStorage({
  name: 'mirrors',
  stores: {
    remoteMirrors: ({ session, leave }) => new KnexRemoteMirrorRepository(session, () => leave('pushes to mirrors')),
  },
  subscribers: [updatesFollowPushes],
  counters: MIRROR_COUNTERS,
});
