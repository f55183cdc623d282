import type { TriggerRepository } from '../pipelines/ports/trigger-ports.js';
import type { ActsOf } from './acts.js';

/** By what they are for: a token is in no entry. */
export const actsOnPipelineTriggers: ActsOf<TriggerRepository> = {
  holdAndCount: 'ordinary',
  add: {
    after: async (facts, id) => [{ kind: 'pipeline_trigger_made', ...(await facts.named('pipeline_trigger', id)) }],
  },
  describe: {
    before: async (facts, _, id, description) => [
      { kind: 'pipeline_trigger_changed', ...(await facts.named('pipeline_trigger', id)), detail: description },
    ],
  },
  remove: {
    before: async (facts, _, id) => [
      { kind: 'pipeline_trigger_removed', ...(await facts.named('pipeline_trigger', id)) },
    ],
  },
  used: 'ordinary',
};
