import type { CiValue } from '../../../domain/pipelines/ci-file/ci-value.js';

/** Writes a value as YAML: one that is bounded. */
export type WriteYaml = (value: CiValue) => Promise<string>;
