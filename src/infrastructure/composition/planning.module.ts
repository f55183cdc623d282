import { ContainerModule } from 'inversify';
import { Alerts } from '../../application/alerts/alerts.js';
import { Issues } from '../../application/planning/issues.js';
import { Labels } from '../../application/planning/labels.js';
import { Notes } from '../../application/planning/notes.js';
import { KnexPlanningReader } from '../../adapters/outbound/persistence/knex/planning/knex-planning-reader.js';
import { TOKENS } from './tokens.js';

export const planningModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.planning).toResolvedValue(
    ({ reader }, unitOfWork, clock, publish) => {
      const planningReader = new KnexPlanningReader(reader);
      return {
        planningReader,
        issues: new Issues(unitOfWork, planningReader, clock, publish),
        notes: new Notes(unitOfWork, clock),
        labels: new Labels(unitOfWork, clock),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.clock, TOKENS.publish],
  );
  // Whoever has to act on what happened, in the same work.
  bind(TOKENS.publish).toConstantValue((event, repositories) => Alerts.onDomainEvent(event, repositories));
});
