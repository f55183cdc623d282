import { FreezePeriods } from '../../application/pipelines/freeze-periods.js';
import { ResourceGroups } from '../../application/pipelines/resource-groups.js';
import type { CiJobReader } from '../../application/pipelines/ports/ci-job-ports.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexFreezePeriodReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-freeze-period-reader.js';
import { KnexResourceGroupReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-resource-group-reader.js';
import { cronTimes } from '../../adapters/outbound/system/cron-times.js';
import type { PipelineUseCases } from './pipelines.tokens.js';
import type { Repositories } from './storages.js';

interface Around {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly reader: CiJobReader;
  readonly clock: Clock;
}

/** What holds up jobs of a project whichever pipelines they are of. */
export const composeSharedByJobs = (
  session: Database['reader'],
  { unitOfWork, reader, clock }: Around,
): Pick<PipelineUseCases, 'resourceGroups' | 'freezePeriods'> => ({
  freezePeriods: new FreezePeriods(unitOfWork, new KnexFreezePeriodReader(session), cronTimes, clock),
  resourceGroups: new ResourceGroups(unitOfWork, new KnexResourceGroupReader(session), reader, clock),
});
