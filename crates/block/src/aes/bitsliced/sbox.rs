//! SubBytes and its inverse as circuits over the eight words of a state.

use super::word::Word;

/// The part of the S-box's circuit that is not linear, the same in both directions: an inversion
/// in GF(2^8) by way of GF(2^4), from the linear forms y_1 to y_21 of its input and the input's
/// own last bit, `y[0]`. Names as in the paper.
#[inline(always)]
fn inversion<W: Word>(y: [W; 22]) -> [W; 18] {
    let x7 = y[0];
    let t2 = y[12] & y[15];
    let t3 = y[3] & y[6];
    let t4 = t3 ^ t2;
    let t5 = y[4] & x7;
    let t6 = t5 ^ t2;
    let t7 = y[13] & y[16];
    let t8 = y[5] & y[1];
    let t9 = t8 ^ t7;
    let t10 = y[2] & y[7];
    let t11 = t10 ^ t7;
    let t12 = y[9] & y[11];
    let t13 = y[14] & y[17];
    let t14 = t13 ^ t12;
    let t15 = y[8] & y[10];
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ y[20];
    let t22 = t18 ^ y[19];
    let t23 = t19 ^ y[21];
    let t24 = t20 ^ y[18];

    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;

    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    [
        t44 & y[15],
        t37 & y[6],
        t33 & x7,
        t43 & y[16],
        t40 & y[1],
        t29 & y[7],
        t42 & y[11],
        t45 & y[17],
        t41 & y[10],
        t44 & y[12],
        t37 & y[3],
        t33 & y[4],
        t43 & y[13],
        t40 & y[5],
        t29 & y[2],
        t42 & y[9],
        t45 & y[14],
        t41 & y[8],
    ]
}

/// SubBytes ⊕ 63: the circuit without its NOTs. The paper counts bits from the most significant
/// one, `x0`.
#[inline(always)]
pub(super) fn sub_bytes<W: Word>(state: &mut [W; 8]) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *state;
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] =
        inversion([
            x7, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18,
            y19, y20, y21,
        ]);

    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = t56 ^ t62;
    let s7 = t48 ^ t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ s3;
    let s2 = t55 ^ t67;
    *state = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// InvSubBytes of the state ⊕ 63.
///
/// With S(x) = A(x^-1) ⊕ 63, this is x -> (A^-1 x)^-1. The same inversion serves, between the
/// linear forms of A^-1 x and A^-1 of those of the circuit's output; the two linear circuits are
/// the shortest that a randomised greedy search found (23 and 35 gates).
#[inline(always)]
pub(super) fn inv_sub_bytes<W: Word>(state: &mut [W; 8]) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *state;
    let y5 = x1 ^ x3;
    let y8 = x0 ^ x1;
    let y19 = x4 ^ x7;
    let y9 = x3 ^ x4;
    let y3 = x0 ^ x3;
    let y14 = y8 ^ y9;
    let y18 = x2 ^ y9;
    let y10 = y8 ^ y19;
    let y6 = x3 ^ y8;
    let y1 = y10 ^ y6;
    let y13 = x6 ^ y1;
    let y2 = y5 ^ y13;
    let y4 = y9 ^ y2;
    let y12 = y3 ^ y4;
    let y7 = x2 ^ y4;
    let y16 = y1 ^ y7;
    let y21 = x6 ^ y7;
    let u0 = x0 ^ x5;
    let y11 = y4 ^ u0;
    let y20 = y2 ^ u0;
    let y17 = y10 ^ y11;
    let y15 = y16 ^ y17;
    let y0 = x2 ^ u0;

    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] =
        inversion([
            y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18,
            y19, y20, y21,
        ]);

    let b0 = z6 ^ z15;
    let b1 = z12 ^ b0;
    let b2 = z13 ^ b1;
    let b3 = z16 ^ b2;
    let b4 = z4 ^ z8;
    let b5 = z1 ^ b4;
    let b6 = z2 ^ z10;
    let b7 = z0 ^ z5;
    let b8 = z3 ^ z14;
    let b9 = z0 ^ z8;
    let b10 = z4 ^ z7;
    let b11 = b6 ^ b10;
    let b12 = z11 ^ z17;
    let b13 = b6 ^ b8;
    let b14 = b5 ^ b13;
    let b15 = z3 ^ b3;
    let b16 = z16 ^ b1;
    let b17 = z17 ^ b14;
    let b18 = b7 ^ b12;
    let b19 = b14 ^ b16;
    let b20 = z9 ^ b0;
    let b21 = z2 ^ b9;
    let b22 = b2 ^ b11;
    let b23 = z5 ^ z8;
    let b24 = z13 ^ b20;
    let b25 = z9 ^ b12;
    let b26 = b3 ^ b5;
    let o0 = b15 ^ b23;
    let o1 = b17 ^ b24;
    let o2 = z11 ^ b19;
    let o3 = b3 ^ b21;
    let o4 = b18 ^ b22;
    let o5 = b7 ^ b26;
    let o6 = b10 ^ b15;
    let o7 = z15 ^ b25;
    *state = [o7, o6, o5, o4, o3, o2, o1, o0];
}
