import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

/** A dialog over the window. Escape and a press outside close it; focus returns to where it came from. */
export function Dialog({
  title,
  isOpen,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <ModalOverlay
      className="modal-shade"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={wide ? 'modal modal-wide' : 'modal'}>
        <AriaDialog className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
