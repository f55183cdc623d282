import type {
  CiVariableRepository,
  NewCiVariable,
  StoredCiVariable,
} from '../../../../../application/ci-variables/ports/ci-variable-ports.js';
import type { CiVariableOwner } from '../../../../../domain/ci-variables/ci-variable.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { columnsOf, contentOf, toStoredVariable, type CiVariableRow } from './ci-variable-rows.js';

const UNIQUE_INDEXES = [
  'ci_variables_project_id_key_environment_scope_unique',
  'ci_variables_namespace_id_key_environment_scope_unique',
  'ci_variables_key_environment_scope_unique',
] as const;

/** What whoever gives a key twice is told. */
const refusals = (key: string): Readonly<Record<string, () => Error>> => {
  const taken = () => new Invalid({ key: [`(${key}) has already been taken`] });
  return Object.fromEntries(UNIQUE_INDEXES.map((index) => [index, taken]));
};

export class KnexCiVariableRepository implements CiVariableRepository {
  constructor(private readonly session: Session) {}

  async holdAndCount(owner: CiVariableOwner): Promise<number> {
    await this.session.hold(`variables of ${owner.kind} ${owner.kind === 'instance' ? '' : owner.id}`);
    const [row] = await this.session.query('ci_variables').where(columnsOf(owner)).count({ all: '*' });
    return Number(row?.all);
  }

  async add(owner: CiVariableOwner, variable: NewCiVariable, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const insert = query('ci_variables')
      .insert({ ...columnsOf(owner), ...contentOf(variable), created_at: instant, updated_at: instant })
      .returning('id');
    const [row] = await onUniqueViolation(insert, refusals(variable.key));
    return row!.id;
  }

  async take(owner: CiVariableOwner, id: number): Promise<StoredCiVariable | undefined> {
    const { query, dialect } = this.session;
    const one = query('ci_variables')
      .where({ id, ...columnsOf(owner) })
      .select('*');
    const [row] = (await dialect.lockRows(one)) as CiVariableRow[];
    return row && toStoredVariable(row);
  }

  async update(id: number, variable: NewCiVariable, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const update = query('ci_variables')
      .where({ id })
      .update({ ...contentOf(variable), updated_at: dialect.writeInstant(at) });
    await onUniqueViolation(update, refusals(variable.key));
  }

  async remove(owner: CiVariableOwner, id: number): Promise<boolean> {
    const one = this.session.query('ci_variables').where({ id, ...columnsOf(owner) });
    return (await one.delete()) === 1;
  }
}
