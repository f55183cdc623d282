import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { StarterRepository } from '../pipelines/ports/starter-ports.js';
import type { ActsOf } from './acts.js';
import type { AuditFacts } from './ports/audit-ports.js';

const between = async (facts: AuditFacts, projectId: ProjectId, starterId: ProjectId) => {
  const [place, subject] = [(await facts.project(projectId))?.path, (await facts.project(starterId))?.path];
  return { ...(place !== undefined && { place }), ...(subject !== undefined && { subject }) };
};

/** In the project whose pipelines are started; told of is whose jobs may. */
export const actsOnPipelineStarters: ActsOf<StarterRepository> = {
  holdAndCount: 'ordinary',
  add: {
    after: async (facts, _, projectId, starterId) => [
      { kind: 'pipeline_starter_let_in', ...(await between(facts, projectId, starterId)) },
    ],
  },
  remove: {
    after: async (facts, _, projectId, starterId) => [
      { kind: 'pipeline_starter_shut_out', ...(await between(facts, projectId, starterId)) },
    ],
  },
};
