import type { ObjectId } from './object-id.js';

/** What one action of a commit does to a file. */
export type FileAction =
  | {
      readonly kind: 'create';
      readonly path: string;
      readonly content: Uint8Array;
      readonly executable: boolean;
    }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly content: Uint8Array;
      /** Absent where its mode stays as it is. */
      readonly executable?: boolean;
      readonly lastCommitId?: string;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly lastCommitId?: string }
  | {
      readonly kind: 'move';
      readonly path: string;
      readonly previousPath: string;
      /** Absent where it stays as it is. */
      readonly content?: Uint8Array;
      readonly lastCommitId?: string;
    }
  | {
      readonly kind: 'chmod';
      readonly path: string;
      readonly executable: boolean;
      readonly lastCommitId?: string;
    }
  | {
      readonly kind: 'submodule';
      readonly path: string;
      /** Of the other repository: where it leads to from then on. */
      readonly commit: ObjectId;
    };

/** Those that clients name. */
export const FILE_ACTIONS = ['create', 'update', 'delete', 'move', 'chmod'] as const;

/** Why an action can't be done, in the words that clients know. */
export const FILE_EXISTS = 'A file with this name already exists';
export const FOLDER_EXISTS = 'A directory with this name already exists';
export const FILE_MISSING = "A file with this name doesn't exist";
export const FOLDERS_TOO_LARGE = 'The folders of these files are too large to be changed at once';
export const submoduleMissing = (path: string): string => `The submodule ${path} doesn't exist`;
export const submoduleUnmoved = (path: string, commit: ObjectId): string =>
  `The submodule ${path} is already at ${commit}`;
