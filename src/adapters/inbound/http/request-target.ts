const WHOLE_ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^/?]*(.*)$/is;

/**
 * The path and query of what stands in the first line of a request. That may be a whole address (RFC 9112 §3.2.2), whose host and
 * password are not believed.
 */
export const requestTarget = (url: string): string => {
  const target = url.split('#', 1)[0]!;
  return WHOLE_ADDRESS.exec(target)?.[1] ?? target;
};
