import { Type } from '@sinclair/typebox';
import type { TrackedTime } from '../../../../../application/collaboration/ports/time-ports.js';
import { writeDuration } from '../../../../../domain/collaboration/duration.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

const human = nullable(Type.String({ description: 'As 1w 2d: a week has 5 days, and a day 8 hours' }));

export const TimeStatsSchema = component(
  'schemas/TimeStats',
  Type.Object({
    time_estimate: Type.Integer({ description: 'In seconds' }),
    total_time_spent: Type.Integer({ description: 'In seconds' }),
    human_time_estimate: human,
    human_total_time_spent: human,
  }),
);

export const presentTime = ({ estimatedSeconds, spentSeconds }: TrackedTime) => ({
  time_estimate: estimatedSeconds,
  total_time_spent: spentSeconds,
  human_time_estimate: writeDuration(estimatedSeconds),
  human_total_time_spent: writeDuration(spentSeconds),
});
