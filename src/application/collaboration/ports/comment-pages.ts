/** Pages of a conversation by keyset: each begins after one of its entries, in the order of their ids. */
export interface CommentPages {
  /** After which entry the page begins that holds a note; 0 where that is the first page. */
  pageOf(subjectId: number, noteId: number, perPage: number): Promise<number>;
  /** After which entry the page before another begins; 0 where that is the first page. */
  pageBefore(subjectId: number, after: number, perPage: number): Promise<number>;
}
