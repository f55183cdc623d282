import type { CiVariable, CiVariableOwner, CiVariableTraits } from '../../../domain/ci-variables/ci-variable.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

/** A variable as it is stored: its value is sealed under the secret key. */
export interface StoredCiVariable extends CiVariableTraits {
  readonly id: number;
  readonly key: string;
  readonly sealedValue: string;
}

export type NewCiVariable = Omit<StoredCiVariable, 'id'>;

export interface CiVariableRepository {
  /** How many an owner has. Whoever else asks waits until the transaction ends. */
  holdAndCount(owner: CiVariableOwner): Promise<number>;
  /** @throws Invalid at `key` where the owner has one of this key in the same scope. */
  add(owner: CiVariableOwner, variable: NewCiVariable, at: Date): Promise<number>;
  /** Nobody else changes it until the transaction ends. */
  take(owner: CiVariableOwner, id: number): Promise<StoredCiVariable | undefined>;
  /** @throws Invalid likewise. */
  update(id: number, variable: NewCiVariable, at: Date): Promise<void>;
  /** False where the owner has no such variable. */
  remove(owner: CiVariableOwner, id: number): Promise<boolean>;
}

export interface CiVariableReader {
  list(owner: CiVariableOwner, page: PageRequest): Promise<Page<StoredCiVariable>>;
  /** Those of a key, in every scope, or in this one alone. */
  named(owner: CiVariableOwner, key: string, environmentScope?: string): Promise<readonly StoredCiVariable[]>;
  find(owner: CiVariableOwner, id: number): Promise<StoredCiVariable | undefined>;
  /** Every variable that may concern a project, of whoever it has them: the installation's first, its own last. */
  concerning(projectId: ProjectId): Promise<readonly (StoredCiVariable & { readonly distance: number })[]>;
}

export interface JobCircumstances {
  /** Whether the job is of a protected branch or tag. */
  readonly protectedRef: boolean;
  /** The environment that the job is for; absent where it is for none. */
  readonly environment?: string;
}

/** What jobs are given. */
export interface CiVariableSource {
  /**
   * The variables of a job, in the order in which they are set, so that of several with one key the last wins: those of the
   * installation, of the groups from the root down, and of the project.
   */
  variablesFor(projectId: ProjectId, circumstances: JobCircumstances): Promise<readonly CiVariable[]>;
}
