import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FileName } from '../file-name.tsx';

const parts = (name: string): string[] => {
  const { container } = render(<FileName name={name} />);
  return [...container.querySelectorAll('[data-text]')].map((each) =>
    each.getAttribute('data-text')!,
  );
};

test('a name is drawn in two parts, so that its end stays', () => {
  expect(parts('Lease Rosenweg 12.pdf')).toEqual(['Lease Rosenweg ', '12.pdf']);
  expect(parts('a.pdf').join('')).toBe('a.pdf');
});

test('a name from right to left stays whole', () => {
  expect(parts('عقد الإيجار.txt')).toEqual([]);
  expect(parts('חוזה שכירות.pdf')).toEqual([]);
});
