/** What a standby is opened with at which a desk would start. */
export const READY = { hasKey: true, open: async () => {}, expectStarts: async () => {} };
