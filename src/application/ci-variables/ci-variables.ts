import {
  checkCiVariable,
  isInScope,
  ORDINARY_TRAITS,
  requireRoomForVariable,
  weightOfScope,
  type CiVariable,
  type CiVariableOwner,
  type CiVariableTraits,
} from '../../domain/ci-variables/ci-variable.js';
import { Conflict, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../domain/shared/page.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type {
  CiVariableReader,
  CiVariableRepository,
  CiVariableSource,
  JobCircumstances,
  StoredCiVariable,
} from './ports/ci-variable-ports.js';

/** Who may look after variables: of a project, of a group, or, as an administrator, of the installation. */
export type VariableHolder =
  Permitted<'manage_ci_variables'> | Permitted<'manage_group_ci_variables'> | { readonly administrator: UserActor };

/** A variable of an owner. */
export interface OwnedVariable extends CiVariable {
  readonly id: number;
}

export type CiVariableChanges = Partial<CiVariableTraits> & { readonly value?: string };

interface Needs {
  readonly ciVariables: CiVariableRepository;
}

const ownerOf = (holder: VariableHolder): CiVariableOwner => {
  if ('project' in holder) return { kind: 'project', id: holder.project.id };
  if ('group' in holder) return { kind: 'group', id: holder.group.id };
  if (!holder.administrator.admin) throw new Forbidden();
  return { kind: 'instance' };
};

/** What CI jobs are given as variables. Their values are sealed, and opened for those who look after them and for jobs. */
export class CiVariables implements CiVariableSource {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: CiVariableReader,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  async list(holder: VariableHolder, request: PageRequest): Promise<Page<OwnedVariable>> {
    const page = await this.reader.list(ownerOf(holder), request);
    return { ...page, items: page.items.map((stored) => this.#open(stored)) };
  }

  /**
   * The one of a key; there may be several, each for other environments, and then the scope must be said.
   * @throws Conflict where several have the key.
   */
  async findByKey(holder: VariableHolder, key: string, environmentScope?: string): Promise<OwnedVariable | undefined> {
    const [found, another] = await this.reader.named(ownerOf(holder), key, environmentScope);
    if (another !== undefined)
      throw new Conflict(
        "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
      );
    return found && this.#open(found);
  }

  async find(holder: VariableHolder, id: number): Promise<OwnedVariable | undefined> {
    const found = await this.reader.find(ownerOf(holder), id);
    return found && this.#open(found);
  }

  /** @throws Invalid at a field, or at `base` for one variable too many. */
  async add(
    holder: VariableHolder,
    named: Pick<CiVariable, 'key' | 'value'>,
    traits: Partial<CiVariableTraits>,
  ): Promise<OwnedVariable> {
    const owner = ownerOf(holder);
    const variable: CiVariable = { ...ORDINARY_TRAITS, ...traits, ...named };
    checkCiVariable(variable);
    const sealed = this.#seal(variable);
    const at = this.clock.now();
    const id = await this.unitOfWork.execute(async ({ ciVariables }) => {
      requireRoomForVariable(owner, await ciVariables.holdAndCount(owner));
      return ciVariables.add(owner, sealed, at);
    });
    return { ...variable, id };
  }

  /** @throws Invalid at a field; NotFound when it is gone. */
  async change(holder: VariableHolder, id: number, changes: CiVariableChanges): Promise<OwnedVariable> {
    const owner = ownerOf(holder);
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ ciVariables }) => {
      const before = await ciVariables.take(owner, id);
      if (before === undefined) throw new NotFound();
      const variable = { ...this.#open(before), ...changes };
      checkCiVariable(variable);
      await ciVariables.update(id, this.#seal(variable), at);
      return variable;
    });
  }

  /** @throws NotFound when it is gone. */
  async remove(holder: VariableHolder, id: number): Promise<void> {
    const owner = ownerOf(holder);
    const removed = await this.unitOfWork.execute(({ ciVariables }) => ciVariables.remove(owner, id));
    if (!removed) throw new NotFound();
  }

  async variablesFor(
    projectId: ProjectId,
    { protectedRef, environment }: JobCircumstances,
  ): Promise<readonly CiVariable[]> {
    const all = await this.reader.concerning(projectId);
    return all
      .filter((each) => (protectedRef || !each.protected) && isInScope(each.environmentScope, environment))
      .sort((a, b) => b.distance - a.distance || weightOfScope(a.environmentScope) - weightOfScope(b.environmentScope))
      .map((stored) => variableOf(this.#open(stored)));
  }

  #seal({ value, ...rest }: CiVariable): Omit<StoredCiVariable, 'id'> {
    return { ...rest, sealedValue: this.secretBox.seal(value) };
  }

  #open({ id, key, sealedValue, ...traits }: StoredCiVariable): OwnedVariable {
    return { ...traitsOf(traits), id, key, value: this.secretBox.open(sealedValue) };
  }
}

const traitsOf = ({
  type,
  masked,
  raw,
  environmentScope,
  description,
  ...rest
}: CiVariableTraits): CiVariableTraits => ({
  type,
  protected: rest.protected,
  masked,
  raw,
  environmentScope,
  description,
});

const variableOf = ({ key, value, ...rest }: OwnedVariable): CiVariable => ({ ...traitsOf(rest), key, value });
