/** Forms that send a request: their fields, and a toast with the outcome. */

import { cents, plain } from "./money";
import { requests } from "./state/requests";
import { refuse, toast } from "./state/toasts";
import { t } from "./text/language";

/** The pattern of an amount field: cents stand after a point or, as some languages write them, after a comma. */
export const AMOUNT = "[0-9]+([.,][0-9]{2})?";

/** A typed amount as the server reads it. */
export const amount = (text: string): string => plain(cents(text.replace(/,(?=\d\d$)/, ".")));

/** Fields with a sentence of ours: each is judged anew before its form is sent, for a value may come from the page. */
const told = new Set<HTMLInputElement>();

/** Say what a field takes in our words, in the place of the browser's: a pattern has its sentence in the title. */
function sayFormat({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  const { title, min, max } = target;
  target.setCustomValidity("");
  const { valueMissing, patternMismatch, rangeUnderflow, rangeOverflow, badInput } = target.validity;
  let says = "";
  if (patternMismatch) says = title || t("An amount such as 50.00");
  else if ((rangeUnderflow || rangeOverflow || badInput) && min && max)
    says = t("A number from {min} to {max}", { min, max });
  else if (valueMissing) says = t("Fill in this field.");
  target.setCustomValidity(says);
  told[says ? "add" : "delete"](target);
}

/** Say what the fields of every form take. None of these events comes up to the window, so they are caught before. */
export function sayFormats(): void {
  for (const type of ["invalid", "input"]) window.addEventListener(type, sayFormat, true);
  const forget = (): void => {
    for (const field of told) field.setCustomValidity("");
    told.clear();
  };
  window.addEventListener("click", forget, true);
}

/** The value of the input that an event is about. */
export const inputValue = (event: Event): string => (event.target as HTMLInputElement).value;

/** Whether the checkbox that an event is about is checked. */
export const isChecked = (event: Event): boolean => (event.target as HTMLInputElement).checked;

/** Post a request and show `done`, or the server's refusal, in a toast; true where it was accepted. */
export async function post(path: string, body: Record<string, unknown>, done: string): Promise<boolean> {
  try {
    const answer = await requests.send<{ second?: string; consent?: string; words?: string }>("POST", path, body);
    // The measure may wait for another person, or the payment for its player.
    if (answer.second) toast(t("Proposed: another person signs."));
    else toast(answer.consent && answer.words ? answer.words : done);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}

/** A submit handler that sends the fields of a form, and empties the form where the request was accepted. */
export function onSubmit(
  send: (field: (name: string) => string, data: FormData) => Promise<boolean>,
  done: () => void,
): (event: SubmitEvent) => Promise<void> {
  return async (event) => {
    const { form, data, field } = readForm(event);
    if (!(await send((name) => field(name).trim(), data))) return;
    // A field may be called "reset" itself.
    HTMLFormElement.prototype.reset.call(form);
    done();
  };
}

/** Keep the browser from sending the form, and read its fields. */
export function readForm(event: SubmitEvent): {
  form: HTMLFormElement;
  data: FormData;
  field: (name: string) => string;
} {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const data = new FormData(form);
  return { form, data, field: (name) => String(data.get(name) ?? "") };
}
