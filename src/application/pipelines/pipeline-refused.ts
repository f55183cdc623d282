import { Invalid } from '../../domain/shared/domain-error.js';

/** Whoever asks can't have a pipeline: nothing of that name is there, they may not run it, or nothing comes of it. */
export class PipelineRefused extends Invalid {
  constructor(
    readonly why: 'no_ref' | 'no_rights' | 'no_pipeline',
    problems: readonly string[],
  ) {
    super({ base: [...problems] });
  }
}

export const refusal = (...problems: readonly string[]): PipelineRefused =>
  new PipelineRefused('no_pipeline', problems);
