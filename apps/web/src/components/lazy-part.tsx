import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

/** The default export of a module that is loaded on first render, with `fallback` until then. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(load);
  return function LazyPart(props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** A dialog whose code is loaded when it is first opened. It stays mounted for its closing animation. */
export function lazyDialog<Props extends { opened: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Dialog = lazyPart(load);
  return function LazyDialog(props) {
    const [wasOpened, setWasOpened] = useState(props.opened);
    if (props.opened && !wasOpened) setWasOpened(true);
    return wasOpened && <Dialog {...props} />;
  };
}
