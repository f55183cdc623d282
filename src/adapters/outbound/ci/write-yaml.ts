import { stringify } from 'yaml';
import { CiReference, type WriteYaml } from '../../../domain/pipelines/ci-file/ci-value.js';

/** What stands in several places is written in each of them. */
export const writeYaml: WriteYaml = (value) =>
  `---\n${stringify(value, plain, { aliasDuplicateObjects: false, lineWidth: 0 })}`;

const plain = (_key: unknown, value: unknown): unknown => (value instanceof CiReference ? value.path : value);
