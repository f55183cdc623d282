import type { ProjectId } from '../../../domain/shared/identifiers.js';

/** A variable that people keep for jobs. */
export interface KeptVariable {
  readonly key: string;
  readonly value: string;
  /** `file`: given as the path of a file that holds the value. */
  readonly type: 'env_var' | 'file';
  /** Whether runners hide it in logs. */
  readonly masked: boolean;
  /** Whether what looks like a variable in it is left as it is. */
  readonly raw: boolean;
}

export interface CiVariableSource {
  /** Those for the jobs of a project, in the order in which they win: the last of a key counts. */
  variablesFor(
    projectId: ProjectId,
    options: {
      readonly protectedRef: boolean;
      /** What the jobs are for, by its name; absent where they are for none. */
      readonly environment?: string;
    },
  ): Promise<readonly KeptVariable[]>;
}
