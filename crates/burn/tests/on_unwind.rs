//! What `on_unwind` does, and does not, on each way out.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[test]
fn a_value_is_given_up_in_a_panic_alone() {
    let mut value = [7; 40];
    let result = cinder_burn::on_unwind(&mut value, cinder_burn::wipe, |value| {
        value[0] = 8;
        value.len()
    });
    assert_eq!((result, value[..3].as_ref()), (40, &[8, 7, 7][..]));

    // From the inner to the outer, and what the work has done is there to see.
    let mut order = Vec::new();
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        cinder_burn::on_unwind(
            &mut order,
            |order| order.push("outer"),
            |order| {
                cinder_burn::scope(|| {
                    cinder_burn::on_unwind(
                        order,
                        |order| order.push("inner"),
                        |order| -> ((), cinder_burn::Depth) {
                            order.push("work");
                            resume_unwind(Box::new(()))
                        },
                    )
                });
            },
        );
    }));
    assert!(unwound.is_err());
    assert_eq!(order, ["work", "inner", "outer"]);
}
