import { ContainerModule } from 'inversify';
import { Issues } from '../../application/planning/issues.js';
import { Labels } from '../../application/planning/labels.js';
import { Milestones } from '../../application/planning/milestones.js';
import { Notes } from '../../application/planning/notes.js';
import { KnexMilestoneReader } from '../../adapters/outbound/persistence/knex/planning/knex-milestone-reader.js';
import { KnexPlanningReader } from '../../adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { TOKENS } from './tokens.js';

export const planningModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.planning).toResolvedValue(
    ({ reader }, unitOfWork, clock) => {
      const planningReader = new KnexPlanningReader(reader);
      return {
        planningReader,
        issues: new Issues(unitOfWork, planningReader, clock),
        notes: new Notes(unitOfWork, clock),
        labels: new Labels(unitOfWork, clock),
        milestones: new Milestones(unitOfWork, clock),
        milestoneReader: new KnexMilestoneReader(reader),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.clock],
  );
});
