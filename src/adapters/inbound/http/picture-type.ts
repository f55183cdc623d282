const PICTURES: readonly (readonly [type: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];
const LONGEST_BEGINNING = 16;

/** The media type of a picture that browsers show, by its first bytes: a name says what it likes. */
export const pictureType = (content: Uint8Array): string | undefined => {
  const beginning = Buffer.from(content.subarray(0, LONGEST_BEGINNING)).toString('latin1');
  return PICTURES.find(([, begins]) => begins.test(beginning))?.[0];
};
