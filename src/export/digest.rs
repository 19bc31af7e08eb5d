//! SHA-256 (FIPS 180-4). Exports identify the source files of a design by it.

/// Round constants: the first 32 fractional bits of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = rounds();

/// Returns the first 32 fractional bits of a root of `number`, computed bit by bit; `power` is 2 for the square root
/// and 3 for the cube root.
const fn root_bits(number: u128, power: u32) -> u32 {
    // The root of number · 2^(32 · power) is the wanted root shifted left by 32 bits.
    let (mut root, mut bit) = (0_u128, 1_u128 << 36);
    while bit > 0 {
        let next = root | bit;
        let mut product = next;
        let mut i = 1;
        while i < power {
            product *= next;
            i += 1;
        }
        if product <= number << (32 * power) {
            root = next;
        }
        bit >>= 1;
    }
    root as u32
}

const fn primes() -> [u128; 64] {
    let (mut found, mut count, mut number) = ([0; 64], 0, 2);
    while count < 64 {
        let (mut is_prime, mut i) = (true, 0);
        while i < count {
            if number % found[i] == 0 {
                is_prime = false;
            }
            i += 1;
        }
        if is_prime {
            found[count] = number;
            count += 1;
        }
        number += 1;
    }
    found
}

const fn rounds() -> [u32; 64] {
    let (primes, mut rounds, mut i) = (primes(), [0; 64], 0);
    while i < 64 {
        rounds[i] = root_bits(primes[i], 3);
        i += 1;
    }
    rounds
}

/// Returns the SHA-256 digest of `bytes` as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let primes = const { primes() };
    let mut state: [u32; 8] = std::array::from_fn(|i| root_bits(primes[i], 2));
    let mut tail = bytes[bytes.len() / 64 * 64..].to_vec();
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in bytes.chunks_exact(64).chain(tail.chunks_exact(64)) {
        take(&mut state, block);
    }
    let words: Vec<String> = state.iter().map(|word| format!("{word:08x}")).collect();
    words.concat()
}

fn take(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for i in 16..64 {
        let (a, b) = (words[i - 15], words[i - 2]);
        let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[i] = words[i - 16].wrapping_add(a).wrapping_add(words[i - 7]).wrapping_add(b);
    }
    let mut work = *state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let mixed = work[4].rotate_right(6) ^ work[4].rotate_right(11) ^ work[4].rotate_right(25);
        let chosen = (work[4] & work[5]) ^ (!work[4] & work[6]);
        let first = [mixed, chosen, round, word]
            .iter()
            .fold(work[7], |sum, add| sum.wrapping_add(*add));
        let mixed = work[0].rotate_right(2) ^ work[0].rotate_right(13) ^ work[0].rotate_right(22);
        let most = (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2]);
        work.rotate_right(1);
        work[4] = work[4].wrapping_add(first);
        work[0] = first.wrapping_add(mixed).wrapping_add(most);
    }
    for (word, add) in state.iter_mut().zip(work) {
        *word = word.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The standard's own examples, and lengths whose padding needs an extra block.
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!((ROUNDS[0], ROUNDS[63]), (0x428a_2f98, 0xc671_78f2));
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            sha256(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(
            sha256(&vec![b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
