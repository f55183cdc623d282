import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** A zip of some files, by their paths. */
export const zipOf = (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
};

/** The files of a zip, by their paths, as texts. */
export const filesIn = async (content: Buffer): Promise<Readonly<Record<string, string>>> => {
  const zip = await fromBufferPromise(content, { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  return files;
};

/** A zip with a link in it. */
export const zipWithLink = (path: string, target: string): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(target), path, { mode: 0o120_777 });
  zip.addBuffer(Buffer.from('through the link'), `${path}-beside`);
  zip.end();
  return buffer(zip.outputStream);
};

/** The same bytes with each of one text in place of another of its length: what no writer of zips would write. */
export const withText = (zip: Buffer, text: string, other: string): Buffer => {
  if (Buffer.byteLength(text) !== Buffer.byteLength(other)) throw new Error('A zip has lengths in it.');
  return Buffer.from(zip.toString('latin1').replaceAll(text, other), 'latin1');
};

const LISTED = 0x0201_4b50;
/** Where in the list of a zip an entry has how large it is unpacked. */
const SIZE_AT = 24;

/** The same zip, whose last file is said to have another size. */
export const withSize = (zip: Buffer, size: number): Buffer => {
  const changed = Buffer.from(zip);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(LISTED);
  changed.writeUInt32LE(size, changed.lastIndexOf(mark) + SIZE_AT);
  return changed;
};

/** The same zip with noise in place of how a file begins that is packed in it. */
export const withNoise = (zip: Buffer, path: string): Buffer => {
  const changed = Buffer.from(zip);
  // What is packed follows the name.
  const at = changed.indexOf(path) + Buffer.byteLength(path);
  return changed.fill(0xff, at, at + 8);
};

/** Where a zip says of an entry that it is encrypted. */
const FLAGS_AT = 8;

/** The same zip, whose last file is said to be encrypted. */
export const withEncryption = (zip: Buffer): Buffer => {
  const changed = Buffer.from(zip);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(LISTED);
  const at = changed.lastIndexOf(mark) + FLAGS_AT;
  changed.writeUInt16LE(changed.readUInt16LE(at) | 1, at);
  return changed;
};
