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
    };

export const FILE_ACTIONS = ['create', 'update', 'delete', 'move', 'chmod'] as const;

/** Why an action can't be done, in the words that clients know. */
export const FILE_EXISTS = 'A file with this name already exists';
export const FOLDER_EXISTS = 'A directory with this name already exists';
export const FILE_MISSING = "A file with this name doesn't exist";
