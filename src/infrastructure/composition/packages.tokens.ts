import type { Packages } from '../../application/packages/packages.js';
import type { PackageReader } from '../../application/packages/ports/package-ports.js';
import { token } from './token.js';

/** Files of versions of projects that are kept for others. */
export interface PackageUseCases {
  readonly packages: Packages;
  readonly packageReader: PackageReader;
}

export const PACKAGE_TOKENS = {
  packages: token<PackageUseCases>('PackageUseCases'),
} as const;
