/** The frame of what stands alone on the page. */
export const card = { withBorder: true, radius: 18, p: 'clamp(24px, 4vw, 48px)' } as const;
