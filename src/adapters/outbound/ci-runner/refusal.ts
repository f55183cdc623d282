/** An answer is read so far, and no further. */
const MOST_BYTES = 8_192;
const MOST_LETTERS = 1_024;
// Nobody but the job colours its log, or moves about in it.
const CONTROL = /\p{Cc}+/gu;

/** What an answer says of why something was refused, in one line of 1,024 letters at most; undefined where it says nothing. */
export const refusalIn = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array);
      size += (chunk as Uint8Array).length;
      if (size > MOST_BYTES) return undefined;
    }
    const { message, error } = JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, unknown>>;
    const said = message ?? error;
    return typeof said === 'string' ? said.replace(CONTROL, ' ').slice(0, MOST_LETTERS) : undefined;
  } catch {
    return undefined;
  }
};
