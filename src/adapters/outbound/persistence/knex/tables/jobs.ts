import type { JobKind } from '../../../../../application/shared/jobs/job-queue.js';
import { code, id, instant, integer, json, table } from './table.js';

export const JOB_TABLES = {
  jobs: table({
    key: ['id'],
    size: 'many',
    columns: { id, kind: code<JobKind>(), payload: json, attempts: integer, run_at: instant, created_at: instant },
  }),
};
