/** Where people and programs reach what jobs are told of. */
export interface PublicAddresses {
  /** Of the service itself. */
  readonly root: string;
  /** @param path below `/api/v4`. */
  api(path: string): string;
  project(fullPath: string): string;
}
