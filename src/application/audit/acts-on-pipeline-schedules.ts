import type { ScheduleRepository } from '../pipelines/ports/schedule-ports.js';
import type { ActsOf } from './acts.js';

/** By what they are for: what their jobs are given is in no entry. */
export const actsOnPipelineSchedules: ActsOf<ScheduleRepository> = {
  hold: 'ordinary',
  countOf: 'ordinary',
  find: 'ordinary',
  add: {
    after: async (facts, id) => [{ kind: 'pipeline_schedule_made', ...(await facts.named('pipeline_schedule', id)) }],
  },
  change: {
    before: async (facts, id, { ownerId }) => [
      {
        kind: ownerId === undefined ? 'pipeline_schedule_changed' : 'pipeline_schedule_taken_over',
        ...(await facts.named('pipeline_schedule', id)),
      },
    ],
  },
  remove: {
    before: async (facts, id) => [
      { kind: 'pipeline_schedule_removed', ...(await facts.named('pipeline_schedule', id)) },
    ],
  },
  takeRun: 'ordinary',
  play: 'ordinary',
};
