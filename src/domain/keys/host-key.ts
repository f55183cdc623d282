/** What clients may know the service by: the newer first, and one that every old client knows. */
export const HOST_KEY_ALGORITHMS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'] as const;
export type HostKeyAlgorithm = (typeof HOST_KEY_ALGORITHMS)[number];
