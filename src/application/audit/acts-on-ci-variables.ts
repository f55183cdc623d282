import type { CiVariableRepository } from '../ci-variables/ports/ci-variable-ports.js';
import type { CiVariableOwner } from '../../domain/ci-variables/ci-variable.js';
import type { ActsOf } from './acts.js';
import type { AuditedThing, AuditFacts } from './ports/audit-ports.js';

/** Whose variable it is; those of the installation belong to no place. */
const placeOf = async (facts: AuditFacts, owner: CiVariableOwner): Promise<AuditedThing> => {
  if (owner.kind === 'instance') return {};
  const found = owner.kind === 'project' ? await facts.project(owner.id) : await facts.namespace(owner.id);
  return found === undefined ? {} : { place: found.path };
};

/** By their keys: a value is in no entry. */
export const actsOnCiVariables: ActsOf<CiVariableRepository> = {
  holdAndCount: 'ordinary',
  add: {
    after: async (facts, _, owner, { key }) => [
      { kind: 'ci_variable_added', subject: key, ...(await placeOf(facts, owner)) },
    ],
  },
  take: 'ordinary',
  update: {
    before: async (facts, id) => [{ kind: 'ci_variable_changed', ...(await facts.named('ci_variable', id)) }],
  },
  remove: {
    before: async (facts, _, id) => [{ kind: 'ci_variable_removed', ...(await facts.named('ci_variable', id)) }],
  },
};
