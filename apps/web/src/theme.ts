import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eeecfc',
  '#dcd8fa',
  '#c3bbf5',
  '#a598ff',
  '#8b7bff',
  '#6f5ee9',
  '#5746d9',
  '#4837c4',
  '#372b96',
  '#231a6b',
];

/** Neutral grays of the dark scheme. The body is 7, surfaces are 6. */
const dark: MantineColorsTuple = [
  '#ededf0',
  '#a1a1ad',
  '#8b8b97',
  '#6e6e7a',
  '#27272d',
  '#1d1d22',
  '#16161a',
  '#0f0f12',
  '#0b0b0d',
  '#070708',
];

const gray: MantineColorsTuple = [
  '#fbfbfc',
  '#f4f4f6',
  '#eeeef1',
  '#e8e8ec',
  '#d6d6dd',
  '#9696a2',
  '#6e6e79',
  '#60606c',
  '#3c3c45',
  '#17171c',
];

/** Colors of variants that differ between the schemes, so that both are readable. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isPrimary = !input.color || input.color === 'indigo';
  if (input.variant === 'filled' && isPrimary) {
    return {
      ...colors,
      background: 'var(--eg-accent)',
      hover: 'var(--eg-accent-hover)',
      color: 'var(--eg-on-accent)',
    };
  }
  if (input.variant === 'filled' && input.color === 'red') {
    return { ...colors, background: '#c0312b', hover: '#a92822', color: '#ffffff' };
  }
  if (input.variant === 'subtle' && input.color === 'gray') {
    return { ...colors, hover: 'var(--eg-surface-hover)', color: 'var(--eg-ink-3)' };
  }
  if (input.color === 'red') {
    const soft = 'var(--eg-danger-soft)';
    const background = input.variant === 'light' ? soft : colors.background;
    return { ...colors, background, hover: soft, color: 'var(--eg-danger)' };
  }
  if (input.variant === 'light' && isPrimary) {
    const soft = 'var(--eg-accent-soft)';
    return { ...colors, background: soft, hover: soft, color: 'var(--eg-accent)' };
  }
  return colors;
};

const closeButtonProps = { 'aria-label': 'Close' };

/** The surface of dialogs, which have a backdrop instead of a border. */
const raised = { background: 'var(--eg-raised)', border: 0 };
const dialogTitle = { fontSize: '17px', fontWeight: 650, letterSpacing: '-0.015em' };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 3 },
  autoContrast: true,
  variantColorResolver: variantColors,
  black: '#17171c',
  colors: { indigo, dark, gray },
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '23px', lineHeight: '1.3' },
      h2: { fontSize: '18px', lineHeight: '1.35' },
      h3: { fontSize: '16px', lineHeight: '1.4' },
    },
  },
  fontSizes: { xs: '12.5px', sm: '13.5px', md: '15px', lg: '17px', xl: '20px' },
  defaultRadius: 10,
  breakpoints: { xs: '576px', sm: '768px', md: '992px', lg: '1200px', xl: '1400px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps,
        radius: 14,
        overlayProps: { backgroundOpacity: 0.4, transitionProps: { duration: 150 } },
        padding: 20,
      },
      styles: {
        title: dialogTitle,
        content: raised,
        header: raised,
      },
    },
    // A menu may contain only items, and the placeholder is not an item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: {
      defaultProps: { closeButtonProps, overlayProps: { backgroundOpacity: 0.35 } },
      styles: { title: dialogTitle, content: raised, header: raised },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' }, radius: 12 },
    },
    Pill: { styles: { root: { background: 'var(--eg-accent-soft)', color: 'var(--eg-ink)' } } },
    Tooltip: { defaultProps: { withArrow: true, radius: 8, openDelay: 250, multiline: true } },
    Button: { defaultProps: { fw: 600 } },
    Paper: { defaultProps: { bg: 'var(--eg-surface)', withBorder: true } },
  },
});
