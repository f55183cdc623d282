import type { CiRunner } from '../../domain/pipelines/ci-runner.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { CiRunnerRepository } from '../pipelines/ports/ci-job-ports.js';
import type { ActsOf } from './acts.js';
import type { AuditedThing, AuditFacts } from './ports/audit-ports.js';

/** By its number, which is always there, and what people call it. */
const nameOf = (id: number, description: string | null | undefined): string =>
  description ? `#${id} ${description}` : `#${id}`;

const runner = async (facts: AuditFacts, id: number): Promise<AuditedThing> => {
  const thing = await facts.named('ci_runner', id);
  return { ...thing, subject: nameOf(id, thing?.subject) };
};

const inProject = async (facts: AuditFacts, id: number, projectId: ProjectId): Promise<AuditedThing> => {
  const project = await facts.project(projectId);
  return { ...(await runner(facts, id)), ...(project && { place: project.path }) };
};

/** Those of the installation belong to no place. */
const made = (facts: AuditFacts, { id }: CiRunner, [projectId]: readonly ProjectId[]): Promise<AuditedThing> =>
  projectId === undefined ? runner(facts, id) : inProject(facts, id, projectId);

export const actsOnCiRunners: ActsOf<CiRunnerRepository> = {
  add: {
    after: async (facts, added, _, projectIds) => [
      { kind: 'runner_made', detail: added.type, ...(await made(facts, added, projectIds)) },
    ],
  },
  take: 'ordinary',
  save: { before: async (facts, id) => [{ kind: 'runner_changed', ...(await runner(facts, id)) }] },
  setToken: { before: async (facts, id) => [{ kind: 'runner_token_reset', ...(await runner(facts, id)) }] },
  remove: { before: async (facts, id) => [{ kind: 'runner_removed', ...(await runner(facts, id)) }] },
  count: 'ordinary',
  countOf: 'ordinary',
  countOfGroup: 'ordinary',
  projectsOf: 'ordinary',
  enable: {
    before: async (facts, id, projectId) => [{ kind: 'runner_enabled', ...(await inProject(facts, id, projectId)) }],
  },
  disable: {
    before: async (facts, id, projectId) => [{ kind: 'runner_disabled', ...(await inProject(facts, id, projectId)) }],
  },
  takesJobsOf: 'ordinary',
  contacted: 'ordinary',
  // They go with their project, of which it is told.
  removeOfProject: 'ordinary',
};
